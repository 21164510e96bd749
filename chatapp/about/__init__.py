"""What helps people along: the sheet of shortcuts, the page "About", the documents."""
