"""The cost of a request, and the part of it that an earlier request had sent, too."""
