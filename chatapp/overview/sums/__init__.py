"""How the overview's figures are added up: in as few passes over the requests as will do."""
