// Durations as the server writes them: 48 ms, 0.34 s, 2.1 s, 73 s.

/** From milliseconds. */
export function duration(ms) {
  if (ms < 100) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  return `${seconds.toFixed(seconds < 1 ? 2 : seconds < 10 ? 1 : 0)} s`;
}
