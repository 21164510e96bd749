"""The panel's figures of cost."""
