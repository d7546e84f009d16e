import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';
import type { UiSchema } from '../../events/run-event.js';
import { displayWidth, padText, wrapText } from './display-width.js';

const ICONS: Readonly<Record<string, string>> = { check: '✓', warning: '!', error: '✗' };

/** Deeper trees than a card has; also ends a tree that refers to itself. */
const MAX_DEPTH = 12;

type Components = ReadonlyMap<string, JsonObject>;

function componentsOf(schema: UiSchema): Components {
  const byId = new Map<string, JsonObject>();
  for (const message of schema) {
    const update = message.updateComponents;
    if (!isJsonObject(update) || !Array.isArray(update.components)) continue;
    for (const component of update.components) {
      if (isJsonObject(component) && typeof component.id === 'string') {
        byId.set(component.id, component);
      }
    }
  }
  return byId;
}

function childrenOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
}

/** Puts blocks side by side when all are single lines that fit, else below each other. */
function besides(blocks: string[][], width: number): string[] {
  const single = blocks.every((block) => block.length === 1);
  const line = blocks.flat().join('  ');
  return single && displayWidth(line) <= width ? [line] : blocks.flat();
}

function draw(id: JsonValue | undefined, all: Components, width: number, depth = 0): string[] {
  const component = typeof id === 'string' ? all.get(id) : undefined;
  if (component === undefined || depth > MAX_DEPTH) return [];
  const drawChild = (child: JsonValue | undefined) => draw(child, all, width, depth + 1);
  switch (component.component) {
    case 'Text':
      return typeof component.text === 'string' ? wrapText(component.text, width) : [];
    case 'Icon':
      return [typeof component.name === 'string' ? (ICONS[component.name] ?? '•') : '•'];
    case 'Divider':
      return ['─'.repeat(width)];
    case 'Button':
      return [`[ ${drawChild(component.child).join(' ')} ]`];
    case 'Card':
      return drawChild(component.child);
    case 'Row':
      return besides(
        childrenOf(component.children)
          .map(drawChild)
          .filter((block) => block.length > 0),
        width,
      );
    case 'Column':
      return childrenOf(component.children).flatMap(drawChild);
    default:
      return [];
  }
}

/**
 * Draws a compiled card as a box of plain text for a terminal: texts, facts, rows and buttons.
 * Wide characters and emoji count as two columns. '' when there is no card.
 * @param width columns of the whole box.
 */
export function drawCard(schema: UiSchema | null, width = 64): string {
  const inner = Math.max(8, width - 4);
  const lines = draw('root', componentsOf(schema ?? []), inner);
  if (lines.length === 0) return '';
  const edge = '─'.repeat(inner + 2);
  return [`┌${edge}┐`, ...lines.map((line) => `│ ${padText(line, inner)} │`), `└${edge}┘`].join(
    '\n',
  );
}
