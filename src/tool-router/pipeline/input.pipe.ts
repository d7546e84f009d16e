import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { readInput } from '../input/read-input.js';
import type { ToolInvocation } from '../tool-invocation.js';

/**
 * Input repair and full validation (PROTOCOL §6), bound to every `@CliInput()`. It takes the call,
 * leaves the repaired input and the repairs on it, and gives the handler a frozen instance of its
 * input class; a dynamic method gets frozen JSON. Only what the approval gate admits gets there.
 */
export class InputPipe implements PipeTransform<ToolInvocation, Promise<object>> {
  /**
   * @throws StewardError INVALID_ACTION_INPUT with issues and the compact schema; CallSuspended when
   * the call has to wait for a person.
   */
  async transform(invocation: ToolInvocation, _metadata: ArgumentMetadata): Promise<object> {
    const { value, input, repairs } = await readInput(invocation.capability, invocation.rawInput);
    invocation.input = input;
    invocation.repairs = repairs;
    await invocation.gate.admit(invocation, value);
    return value;
  }
}
