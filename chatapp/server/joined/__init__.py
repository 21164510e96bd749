"""Join the scripts of a chat's page into a few files: one request instead of forty.

Each module has a file of its own in static/js, and runs as it is written there. With `DEBUG=true`
these files are served; otherwise `js/main.js` contains all the modules that it imports. A module
that is loaded later keeps a file, which also contains the modules that only it imports. The scripts
of other pages stay as they are.
"""
