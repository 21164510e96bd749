// Random ids. Over plain http browsers offer none: `randomUUID` needs a secure context.

/** A UUID of version 4 out of 16 random bytes. */
export function uuidOf(bytes) {
  const own = Uint8Array.from(bytes);
  own[6] = (own[6] & 0x0f) | 0x40;
  own[8] = (own[8] & 0x3f) | 0x80;
  const digits = [...own].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export const newId = () =>
  crypto.randomUUID?.() ?? uuidOf(crypto.getRandomValues(new Uint8Array(16)));
