import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RunPlaces } from './run-places.js';

const USERS = ['a', 'b', 'c'];

describe('RunPlaces', () => {
  it('never gives more than there are, in all and to one user', () => {
    const step = fc.oneof(
      fc.record({ take: fc.constantFrom(...USERS) }),
      fc.record({ giveBack: fc.nat(20) }),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(step),
        (capacity, perUser, steps) => {
          const places = new RunPlaces(capacity, perUser);
          const taken: { userId: string; giveBack: () => void }[] = [];
          for (const next of steps) {
            if ('take' in next) {
              const userId = next.take;
              const ofUser = taken.filter((place) => place.userId === userId).length;
              const room = taken.length < capacity && ofUser < perUser;
              expect(places.hasFor(userId)).toBe(room);
              if (room) taken.push({ userId, giveBack: places.take(userId) });
              else expect(() => places.take(userId)).toThrow(RangeError);
            } else {
              const [place] = taken.splice(next.giveBack % Math.max(1, taken.length), 1);
              place?.giveBack();
              place?.giveBack();
            }
            expect(places.free).toBe(capacity - taken.length);
            const atLimit = USERS.filter(
              (userId) => taken.filter((place) => place.userId === userId).length === perUser,
            );
            expect(places.usersAtLimit.toSorted()).toEqual(atLimit);
          }
        },
      ),
    );
  });
});
