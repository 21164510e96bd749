"""Help for users: the sheet of shortcuts, the page "About" and the documents."""
