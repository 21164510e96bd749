"""Zone 5: other settings for the request that is shown, tried at once and without a model."""
