import { afterEach, beforeEach, jest } from '@jest/globals';

/**
 * What is written to the console as a warning or an error, collected during each test of the block
 * that calls this. A stock client complains there of events that it does not like, and goes on.
 * @returns the arguments of each complaint; emptied before each test.
 */
export function collectComplaints(): unknown[][] {
  const complaints: unknown[][] = [];
  beforeEach(() => {
    complaints.length = 0;
    for (const level of ['warn', 'error'] as const) {
      jest.spyOn(console, level).mockImplementation((...args) => void complaints.push(args));
    }
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  return complaints;
}
