/** Input of a method without parameters: `{}` and nothing else. */
export class NoInput {}
