"""A model of every family, each of which reaches the fake provider in its own way."""

FAMILIES = {
    "openai": "openai/fake",
    "deepseek": "deepseek/deepseek-chat",
    "anthropic": "anthropic/claude-sonnet-4-5",
    "gemini": "gemini/gemini-2.5-flash",
    "ollama_chat": "ollama_chat/llama3",
}
SECRET = "sk-canary-0123456789"
KEYS = {"OPENAI_API_KEY", "DEEPSEEK_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"}


def environment_of(url):
    """The environment in which each family asks the provider at `url`."""
    return {
        **dict.fromkeys(KEYS, SECRET),
        "OPENAI_API_BASE": f"{url}/v1",
        "DEEPSEEK_API_BASE": url,
        "ANTHROPIC_API_BASE": url,
        "GEMINI_API_BASE": url,
        "OLLAMA_API_BASE": url,
    }
