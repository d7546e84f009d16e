/** A run's row found its place taken, or the run that it goes on with gone; nothing was stored. */
export class PlaceTaken extends Error {}
