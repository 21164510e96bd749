"""The app that Chainlit serves. It sends the whole chat, as Chainlit's documentation suggests."""

import chainlit
from openai import AsyncOpenAI

provider = AsyncOpenAI()


async def answer(_message: chainlit.Message) -> None:
    shown = chainlit.Message(content="")
    said = chainlit.chat_context.to_openai()
    async for part in await provider.chat.completions.create(
        model="fake", messages=said, stream=True
    ):
        if part.choices and (text := part.choices[0].delta.content):
            await shown.stream_token(text)
    await shown.update()


chainlit.on_message(answer)
