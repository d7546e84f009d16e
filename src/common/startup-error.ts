/**
 * The start is refused for a reason that the person at the terminal can mend: the message alone is
 * printed, without a stack.
 */
export class StartupError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}
