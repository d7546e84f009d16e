/** `read`, asked at most once in `ms` milliseconds, whoever asks; what fails is asked for again. */
export function cached<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let until = 0;
  let last: Promise<T> | null = null;
  return () => {
    if (last && performance.now() < until) return last;
    until = performance.now() + ms;
    const asked = read();
    last = asked;
    asked.catch(() => {
      if (last === asked) last = null;
    });
    return asked;
  };
}
