"""The rows on models and their providers in the table of environment variables."""

from chatapp.env.variable import Variable

# Providers whose addresses are fixed: no model's name can change them.
CLOUD = (
    *("openai", "anthropic", "gemini", "mistral", "codestral", "cohere", "cohere_chat", "groq"),
    *("openrouter", "deepseek", "xai", "zai", "moonshot", "minimax", "dashscope", "together_ai"),
    *("fireworks_ai", "deepinfra", "perplexity", "cerebras", "sambanova", "nvidia_nim"),
)

MODEL_VARIABLES: tuple[Variable, ...] = (
    Variable(
        "DEFAULT_MODEL",
        "",
        "The model of agents that don't name one. Empty: demo/mirror.",
        "Models",
    ),
    Variable(
        "MODEL_PROVIDERS",
        "",
        "Providers whose models may be used, by their litellm names, separated by commas. Empty: "
        f"{', '.join(CLOUD)}, and every provider whose ..._API_BASE is set.",
        "Models",
    ),
    Variable("OPENAI_API_KEY", "", "For OpenAI's models.", "Models"),
    Variable("OPENAI_API_BASE", "", "Another address with an OpenAI-compatible API.", "Models"),
    Variable("ANTHROPIC_API_KEY", "", "For Anthropic's models.", "Models"),
    Variable("GEMINI_API_KEY", "", "For Google's models.", "Models"),
    Variable("MISTRAL_API_KEY", "", "For Mistral's models.", "Models"),
    Variable("OLLAMA_API_BASE", "", "A local Ollama; models are ollama_chat/NAME.", "Models"),
    Variable(
        "PROVIDERS",
        "",
        "More providers, several of one protocol if you like: name=protocol, separated by commas. "
        "Each has NAME_API_KEY and NAME_API_BASE; its models are name/MODEL.",
        "Models",
    ),
    Variable(
        "PROVIDER_HOSTS",
        "",
        "Hosts on private networks that providers added in the admin may be at, separated by "
        "commas: names such as ollama:11434, addresses, networks such as 10.0.0.0/8.",
        "Models",
    ),
    Variable(
        "ENCRYPTION_KEYS",
        "",
        "Secrets that encrypt the keys of providers in the database, each 32 characters or more, "
        "separated by commas: the first encrypts, all decrypt. Empty: derived from SECRET_KEY.",
        "Models",
        secret=True,
    ),
    Variable(
        "REASONING_TAGS",
        "openai,ollama_chat,hosted_vllm,openai_like,custom_openai,lm_studio,llamafile",
        "Providers whose local models may begin an answer with <think>: what it encloses is "
        "reasoning, not text, except at the address of the maker (OpenAI's own). Empty: tags are "
        "text.",
        "Models",
    ),
    Variable(
        "REASONING_OPENED",
        "",
        "Models whose prompt already opens <think>, as many templates of DeepSeek-R1 do, so that "
        "all up to </think> is reasoning: names such as hosted_vllm/deepseek-r1.",
        "Models",
    ),
    Variable(
        "FIRST_TOKEN_SECONDS",
        "60",
        "Time limit for the first token of an answer; it starts again with every sign of life.",
        "Models",
    ),
    Variable(
        "BACKGROUND_ANSWERS",
        "false",
        "OpenAI goes on with an answer without us, so that a process takes it up again if the one "
        "that asked is gone. Only for models that are asked through its Responses API. OpenAI "
        "stores such an answer; it is deleted there at its end.",
        "Models",
    ),
    Variable("DEMO_WORDS_PER_SECOND", "60", "How fast the offline model writes.", "Models"),
)
