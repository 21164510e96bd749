"""The API: programs do here what people do on the pages."""
