"""The scripts of a chat's page, joined into few files: one request instead of forty.

Each module keeps a file of its own in static/js, and runs as it stands there. `DEBUG=true` serves
those; otherwise `js/main.js` has all that it imports in it. What loads later keeps its file, with
what it alone imports in it. The other pages' scripts stay as they are.
"""
