/** Why a vCard is refused, and the line of the file (from 1) that is the reason. */
export class VcardError extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
    readonly limit = false,
  ) {
    super(`line ${line}: ${reason}`);
    this.name = 'VcardError';
  }
}
