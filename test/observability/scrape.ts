/** Samples of a scrape: `name{labels}` to value. */
export class Scrape {
  private readonly samples = new Map<string, number>();

  private constructor(readonly text: string) {
    for (const line of text.split('\n')) {
      const match = /^([a-z_]+(?:\{.*\})?) (\S+)$/i.exec(line);
      if (match?.[1] !== undefined) this.samples.set(match[1], Number(match[2]));
    }
  }

  static async of(url: string): Promise<Scrape> {
    const response = await fetch(`${url}/metrics`);
    if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`);
    return new Scrape(await response.text());
  }

  /** Value of a sample; 0 for one that is not told yet. @param labels as they are written. */
  value(name: string, labels = ''): number {
    return this.samples.get(labels === '' ? name : `${name}{${labels}}`) ?? 0;
  }

  /** Names of the product's own metrics, and of their labels with every value. */
  get labels(): [name: string, label: string, value: string][] {
    return [...this.samples.keys()]
      .filter((key) => key.startsWith('steward_'))
      .flatMap((key) =>
        [...key.matchAll(/(\w+)="([^"]*)"/g)].map(
          ([, label = '', value = '']): [string, string, string] => [
            key.slice(0, key.indexOf('{')),
            label,
            value,
          ],
        ),
      );
  }
}
