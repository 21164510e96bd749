"""The API by which programs do what people do on the pages."""
