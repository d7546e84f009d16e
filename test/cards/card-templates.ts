import * as calendar from '../../src/modules/calendar/calendar.ui.js';
import * as contacts from '../../src/modules/contacts/contacts.ui.js';
import * as memory from '../../src/modules/memory/memory.ui.js';
import type { UiTemplate } from '../../src/tool-router/public.js';

/** The templates by capability id, as the registry has them (a test compares). */
export const CARD_TEMPLATES: Record<string, UiTemplate> = {
  'calendar.read': calendar.readCard,
  'calendar.create': calendar.createCard,
  'calendar.update': calendar.updateCard,
  'calendar.delete': calendar.deleteCard,
  'calendar.share': calendar.shareCard,
  'calendar.accept_invite': calendar.acceptCard,
  'calendar.reject_invite': calendar.rejectCard,
  'contacts.read': contacts.readCard,
  'memory.update': memory.updateCard,
  'memory.forget': memory.forgetCard,
};
