import type { WhitelistDocument } from './policy.js';

/** The policy of a fresh installation, stored as version 1. */
export const DEFAULT_WHITELIST: WhitelistDocument = {
  profiles: {
    chat: {
      allow: [
        'calendar.*',
        'contacts.*',
        'memory.*',
        'scheduler.*',
        'interaction.*',
        'client.*',
        'help.*',
      ],
      deny: [],
      ask: [],
    },
    automation: {
      allow: ['calendar.read', 'contacts.read', 'memory.read', 'interaction.*', 'help.*'],
      deny: [],
      ask: [],
    },
  },
  roles: { guest: { deny: ['*.delete'], ask: [] } },
  users: {},
};
