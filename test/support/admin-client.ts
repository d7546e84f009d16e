import type { WhitelistDocument } from '../../src/whitelist/policy.js';
import { ApiClient, type Answer } from './api-client.js';

/** A policy under which profile `chat` may call what `allow` says. */
export function chatMay(...allow: string[]): WhitelistDocument {
  return { profiles: { chat: { allow, deny: [], ask: [] } }, roles: {}, users: {} };
}

/** Changes what admins decide as an admin does: reads it, and names the version that was seen. */
export class AdminClient extends ApiClient {
  /** @returns the answer, whatever it is. */
  async change(method: 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Answer> {
    const { headers } = await this.get(path);
    return this.call(method, path, body, { 'if-match': headers.get('etag') ?? '' });
  }

  /** @throws Error unless the policy is in force. */
  async putPolicy(document: WhitelistDocument): Promise<void> {
    await this.done('PUT', '/admin/whitelist', document);
  }

  /** @throws Error unless the settings of the capability are in force. */
  async patch(capability: string, change: object): Promise<void> {
    await this.done('PATCH', `/admin/capabilities/${capability}`, change);
  }

  /** The rule of the deployment, or of a user; null takes it back. @throws Error unless it holds. */
  async putSkills(enabled: string[] | null, userId?: string): Promise<void> {
    const path = userId === undefined ? '/admin/skills' : `/admin/users/${userId}/skills`;
    await this.done('PUT', path, { enabled });
  }

  private async done(method: 'PUT' | 'PATCH', path: string, body: object): Promise<void> {
    const answer = await this.change(method, path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  }
}
