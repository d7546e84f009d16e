import { Injectable } from '@nestjs/common';
import { encodeEvent } from '../events/encode.js';
import type { LoggedEvent } from '../events/run-event.js';
import type { WireForm } from '../events/wire-form.js';

/**
 * Events as the bytes of a stream. An event that several clients get in the same form is encoded
 * once: followers share the LoggedEvent while it is recent, and the frame lives as long as it.
 */
@Injectable()
export class EventFrames {
  private readonly frames = new WeakMap<LoggedEvent, Map<WireForm, Buffer>>();

  /** `id:` and one `data:` line, LF only; JSON text has no line break of its own. */
  frame(logged: LoggedEvent, form: WireForm): Buffer {
    const known = this.frames.get(logged) ?? new Map<WireForm, Buffer>();
    this.frames.set(logged, known);
    const frame =
      known.get(form) ?? Buffer.from(`id: ${logged.id}\ndata: ${encodeEvent(logged, form)}\n\n`);
    known.set(form, frame);
    return frame;
  }
}
