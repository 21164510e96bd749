"""What-ifs: try settings on past and upcoming requests without storing them, or apply them."""
