import { encodeAgui } from './encode-agui.js';
import { encodeApp } from './encode-app.js';
import type { LoggedEvent } from './run-event.js';
import type { WireForm } from './wire-form.js';

/** JSON text of an event in a wire form; pure. */
export function encodeEvent(logged: LoggedEvent, form: WireForm): string {
  switch (form) {
    case 'app':
      return JSON.stringify(encodeApp(logged, false));
    case 'app-v1':
      return JSON.stringify(encodeApp(logged, true));
    case 'agui':
      return JSON.stringify(encodeAgui(logged, false));
    case 'agui-1.0':
      return JSON.stringify(encodeAgui(logged, true));
  }
}
