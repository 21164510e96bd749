"""A model of each family, and the variables that lead each to the fake provider."""

FAMILIES = {
    "openai": "openai/gpt-4o",
    "compatible": "openai/fake",
    "responses": "openai/responses/fake",
    "deepseek": "deepseek/deepseek-chat",
    "anthropic": "anthropic/claude-sonnet-4-5",
    "gemini": "gemini/gemini-2.5-flash",
    "ollama_chat": "ollama_chat/llama3",
}
SECRET = "sk-canary-0123456789"
KEYS = {"OPENAI_API_KEY", "DEEPSEEK_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"}


def environment_of(url):
    """Return the variables that lead each family to the provider at `url`."""
    return {
        **dict.fromkeys(KEYS, SECRET),
        "OPENAI_API_BASE": f"{url}/v1",
        "DEEPSEEK_API_BASE": url,
        "ANTHROPIC_API_BASE": url,
        "GEMINI_API_BASE": url,
        "OLLAMA_API_BASE": url,
    }
