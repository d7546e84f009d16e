import type { JsonObject } from '../../common/json.js';
import { findCredential } from '../credential-scan.js';
import type { UiAction } from '../ui-hints.js';
import { cardLine } from './card-line.js';

/** Version of the A2UI messages that are written. */
export const A2UI_VERSION = 'v0.9';

/** The catalog that every stock renderer has. */
export const BASIC_CATALOG_ID = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';

/** Name of the event that a button sends; its context is the call to make (PROTOCOL §8). */
export const ACTION_EVENT = 'project_cli';

/** Bytes of a button's input: a call of this size is no button's. */
const INPUT_MAX_BYTES = 2048;

/** Longest label of a button, in UTF-16 units. */
const BUTTON_LABEL_MAX = 40;

/** Longest name of a module or method that the router takes. */
const NAME_MAX = 64;

const bytesOf = (value: JsonObject): number => Buffer.byteLength(JSON.stringify(value)) + 1;

type TextVariant = 'h3' | 'h5' | 'body' | 'caption';

const BUTTON_VARIANTS = { primary: 'primary', secondary: 'default', danger: 'default' } as const;

/**
 * Collects the components of one surface, children before parents. Every method returns the
 * component's id, or null when there is nothing to show, so that callers list ids as they come.
 *
 * Texts are literals: a card is a finished snapshot that nothing updates in place, and a string in
 * the place of a text is never taken for a binding or a function call. Only the inputs of buttons
 * lie in the data model, because an event's context admits no literal object.
 */
export class SurfaceBuilder {
  readonly components: JsonObject[] = [];
  readonly inputs: JsonObject[] = [];
  private used = 0;

  /** Bytes of what was collected, as JSON. */
  get bytes(): number {
    return this.used;
  }

  /**
   * Takes back what `draw` added when the surface would have more than `max` bytes with it.
   * @returns false when it was taken back.
   */
  fits(max: number, draw: () => void): boolean {
    const { used } = this;
    const components = this.components.length;
    const inputs = this.inputs.length;
    draw();
    if (this.used <= max) return true;
    this.components.length = components;
    this.inputs.length = inputs;
    this.used = used;
    return false;
  }

  /** @param limit longest text, in UTF-16 units. */
  text(id: string, text: unknown, variant: TextVariant = 'body', limit?: number): string | null {
    const line = cardLine(text, limit);
    return line === '' ? null : this.add({ id, component: 'Text', text: line, variant });
  }

  icon(id: string, name: string): string {
    return this.add({ id, component: 'Icon', name });
  }

  divider(id: string): string {
    return this.add({ id, component: 'Divider' });
  }

  row(id: string, children: (string | null)[]): string | null {
    return this.container(id, 'Row', children, { align: 'center' });
  }

  column(id: string, children: (string | null)[]): string | null {
    return this.container(id, 'Column', children, {});
  }

  card(id: string, child: string): string {
    return this.add({ id, component: 'Card', child });
  }

  /**
   * A button whose press means the same call through the same router (PROTOCOL §8). None for an
   * input that is too large or carries a credential (§13): the router would refuse the call.
   */
  button(id: string, action: UiAction): string | null {
    const bytes = bytesOf(action.input);
    if (bytes > INPUT_MAX_BYTES || findCredential(action.input) !== null) return null;
    const label = this.text(`${id}-label`, action.label, 'body', BUTTON_LABEL_MAX);
    if (label === null) return null;
    const at = this.inputs.push(action.input) - 1;
    this.used += bytes;
    return this.add({
      id,
      component: 'Button',
      child: label,
      variant: BUTTON_VARIANTS[action.style],
      action: {
        event: {
          name: ACTION_EVENT,
          context: {
            module: cardLine(action.module, NAME_MAX),
            method: cardLine(action.method, NAME_MAX),
            input: { path: `/inputs/${at}` },
          },
        },
      },
    });
  }

  private container(
    id: string,
    component: 'Row' | 'Column',
    children: (string | null)[],
    style: JsonObject,
  ): string | null {
    const shown = children.filter((child) => child !== null);
    return shown.length === 0 ? null : this.add({ id, component, children: shown, ...style });
  }

  private add(component: JsonObject & { id: string }): string {
    this.components.push(component);
    this.used += bytesOf(component);
    return component.id;
  }
}
