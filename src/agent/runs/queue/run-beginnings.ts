/** Runs that this process is about to hold: they are being stored or claimed for it. */
export class RunBeginnings {
  private underWay = 0;
  private readonly whenOver: (() => void)[] = [];

  /** One more. @returns what ends it; further calls of that do nothing. */
  begin(): () => void {
    this.underWay += 1;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.underWay -= 1;
      if (this.underWay === 0) for (const resolve of this.whenOver.splice(0)) resolve();
    };
  }

  /** Resolves once there is none. */
  async over(): Promise<void> {
    if (this.underWay === 0) return;
    await new Promise<void>((resolve) => {
      this.whenOver.push(resolve);
    });
  }
}
