"""Whether a model's name leads to a provider at all."""

from chatapp import llm


def fault(model: str) -> str:
    """Why a model cannot be asked, for the end of a sentence; empty where a provider is known.

    A provider's model that is in no catalogue is fine: its window is assumed. No network.
    """
    if model.partition("/")[0] == llm.DEMO_MODEL.partition("/")[0]:
        return "" if model == llm.DEMO_MODEL else f"there is only {llm.DEMO_MODEL}"
    try:
        name, *_ = llm._litellm().get_llm_provider(model)
    except Exception:  # litellm's own, of a class that only it knows.
        return "litellm knows no such provider; write it in front, as in openai/gpt-4o"
    return "" if name else "names a provider, but no model"
