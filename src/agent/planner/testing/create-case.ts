/**
 * A request for a new event and what is to come of it: title, start and end (Shanghai wall time; a
 * date alone is a whole day), then people and place.
 */
export type CreateCase = [
  said: string,
  title: string,
  start: string,
  end: string,
  people?: string[],
  place?: string,
];
