import type { JsonObject } from '../../common/json.js';
import type { UiAction } from '../ui-hints.js';
import { cardLine } from './card-line.js';

/** Version of the A2UI messages that are written. */
export const A2UI_VERSION = 'v0.9';

/** The catalog that every stock renderer has. */
export const BASIC_CATALOG_ID = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';

/** Name of the event that a button sends; its context is the call to make (PROTOCOL §8). */
export const ACTION_EVENT = 'project_cli';

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

  text(id: string, text: unknown, variant: TextVariant = 'body'): string | null {
    const line = cardLine(text);
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

  /** A button whose press means the same call through the same router (PROTOCOL §8). */
  button(id: string, action: UiAction): string | null {
    const label = this.text(`${id}-label`, action.label);
    if (label === null) return null;
    const at = this.inputs.push(action.input ?? {}) - 1;
    return this.add({
      id,
      component: 'Button',
      child: label,
      variant: BUTTON_VARIANTS[action.style] ?? 'default',
      action: {
        event: {
          name: ACTION_EVENT,
          context: {
            module: action.module,
            method: action.method,
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
    return component.id;
  }
}
