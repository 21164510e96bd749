"""The scripts of a chat's page, joined into few files: one request instead of forty.

Each module keeps a file of its own in static/js, and runs as it stands there. `DEBUG=true` serves
those files; otherwise `js/main.js` contains all modules that it imports. A module that loads later
keeps its file, which contains the modules that it alone imports. The other pages' scripts stay as
they are.
"""
