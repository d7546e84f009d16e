import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { ROLES } from '../auth/principal.js';
import { UserService } from '../auth/user.service.js';
import { StewardError, type InputIssue } from '../common/steward-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CapabilityRegistry } from '../tool-router/capability-registry.js';
import type { WhitelistVersionEntity } from './entities/whitelist-version.entity.js';
import { patternsOf } from './policy-changes.js';
import { namesOf, unknownIssue, unknownPatterns } from './policy-names.js';
import { readWhitelist, type WhitelistDocument } from './policy.js';
import { WhitelistRepository, type VersionSummary } from './whitelist.repository.js';
import { WhitelistService, requireWhitelist, type WhitelistState } from './whitelist.service.js';

const MAX_ISSUES = 20;
/** What a registered user id looks like. */
const USER_ID = /^usr_[0-9A-Z]{26}$/;

/** A new version, and what in it may not do what was meant. */
export interface ReplacedWhitelist extends WhitelistState {
  warnings: InputIssue[];
}

/** What admins do with the whitelist (PROTOCOL §14): each change is checked, attributed and audited. */
@Injectable()
export class WhitelistAdmin {
  constructor(
    private readonly whitelist: WhitelistService,
    private readonly repository: WhitelistRepository,
    private readonly registry: CapabilityRegistry,
    private readonly users: UserService,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * Puts a policy in force. A rule that names no capability is refused, unless `allowUnknown`, or it
   * stands in the policy that is replaced: then it is a warning, as are users that do not exist.
   * @throws StewardError INVALID_ACTION_INPUT with issues, CONFLICT.
   */
  async replace(
    value: unknown,
    previous: number,
    adminId: string,
    { allowUnknown }: { allowUnknown: boolean },
  ): Promise<ReplacedWhitelist> {
    const document = requireWhitelist(value);
    const before = allowUnknown ? null : await this.repository.find(previous);
    const warnings = [
      ...this.checkNames(document, allowUnknown ? 'all' : patternsBefore(before)),
      ...roleWarnings(document),
      ...(await this.userWarnings(document)),
    ];
    return { ...(await this.store(document, previous, adminId, null)), warnings };
  }

  /**
   * Puts the policy of an earlier version in force, as a new version.
   * @throws StewardError NOT_FOUND, CONFLICT, also for a version that can no longer be understood.
   */
  async restore(version: number, previous: number, adminId: string): Promise<ReplacedWhitelist> {
    const { document: stored } = await this.version(version);
    const read = readWhitelist(stored);
    if ('issues' in read) {
      throw new StewardError('CONFLICT', `Version ${version} is no valid policy any more.`);
    }
    const { document } = read;
    const warnings = [
      ...this.checkNames(document, 'all'),
      ...roleWarnings(document),
      ...(await this.userWarnings(document)),
    ];
    return { ...(await this.store(document, previous, adminId, version)), warnings };
  }

  /** @throws StewardError NOT_FOUND. */
  async version(version: number): Promise<WhitelistVersionEntity> {
    const found = await this.repository.find(version);
    if (!found) throw new StewardError('NOT_FOUND', 'There is no such version.');
    return found;
  }

  /** Versions older than `before`, newest first; without it, from the newest. */
  async page(
    limit: number,
    before = 2 ** 31 - 1,
  ): Promise<{ versions: VersionSummary[]; nextCursor: string | null }> {
    const rows = await this.repository.page(before, limit + 1);
    const versions = rows.slice(0, limit);
    const last = versions.at(-1);
    return { versions, nextCursor: last && rows.length > limit ? String(last.version) : null };
  }

  private async store(
    document: WhitelistDocument,
    previous: number,
    adminId: string,
    restoredFrom: number | null,
  ): Promise<WhitelistState> {
    return this.uow.run(async () => {
      const state = await this.whitelist.replace(document, previous, adminId, restoredFrom);
      await this.audit.record({
        kind: 'policy_changed',
        actor: adminId,
        subject: `whitelist ${state.version}`,
        outcome: 'success',
        details: { version: state.version, ...(restoredFrom !== null && { restoredFrom }) },
      });
      return state;
    });
  }

  private checkNames(
    document: WhitelistDocument,
    accepted: ReadonlySet<string> | 'all',
  ): InputIssue[] {
    const known = namesOf(this.registry.list().map(({ descriptor }) => descriptor));
    const unknown = unknownPatterns(document, known);
    const isAccepted = (pattern: string): boolean => accepted === 'all' || accepted.has(pattern);
    const refused = unknown.filter(({ pattern }) => !isAccepted(pattern));
    const [first] = refused.map((one) => unknownIssue(one, known));
    if (first) {
      throw new StewardError('INVALID_ACTION_INPUT', `${first.path}: ${first.message}`, {
        issues: refused.slice(0, MAX_ISSUES).map((one) => unknownIssue(one, known)),
      });
    }
    return unknown.slice(0, MAX_ISSUES).map((one) => unknownIssue(one, known));
  }

  /** A rule for nobody is no fault: the person may be one of an external issuer, or be gone. */
  private async userWarnings({ users }: WhitelistDocument): Promise<InputIssue[]> {
    const ids = Object.keys(users);
    const found = new Set((await this.users.findManyByIds(ids)).map(({ id }) => id));
    return ids
      .filter((id) => !found.has(id))
      .slice(0, MAX_ISSUES)
      .map((id) => ({
        path: `users.${id}`,
        message: USER_ID.test(id) ? 'No account has this id.' : 'Does not look like a user id.',
        expected: 'id of a user, such as GET /admin/users shows it',
        received: id,
      }));
  }
}

/** A role that nobody here has may be one of an external issuer, or a slip. */
function roleWarnings({ roles }: WhitelistDocument): InputIssue[] {
  const known: readonly string[] = ROLES;
  return Object.keys(roles)
    .filter((name) => !known.includes(name))
    .slice(0, MAX_ISSUES)
    .map((name) => ({
      path: `roles.${name}`,
      message: 'No account of this server has this role.',
      expected: known.join(', '),
      received: name,
    }));
}

function patternsBefore(version: WhitelistVersionEntity | null): Set<string> {
  const read = readWhitelist(version?.document);
  return new Set('document' in read ? patternsOf(read.document).map((one) => one.pattern) : []);
}
