import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StateWatch, countedIn } from '../database/state-watch.js';
import type { VersionedState } from '../database/versioned-state.js';
import type { SettingsById } from './capability-setting.js';
import { CapabilitySettingsRepository } from './capability-settings.repository.js';

const NAME = 'capability_settings';

/** The settings of capabilities in force, from memory (PROTOCOL §14, §15). */
@Injectable()
export class CapabilitySettings implements OnModuleInit {
  private readonly state: VersionedState<SettingsById>;

  constructor(
    private readonly repository: CapabilitySettingsRepository,
    private readonly watch: StateWatch,
  ) {
    this.state = watch.stateOf({
      name: NAME,
      newest: countedIn(NAME),
      read: async () => {
        // The number first: rows that are newer than it are read again with the next number.
        const version = await watch.newestVersion(NAME);
        return { version, value: await this.stored() };
      },
    });
  }

  async onModuleInit(): Promise<void> {
    await this.watch.keep(this.state);
  }

  /** By capability id; null while nobody knows what is in force, and nothing may be called. */
  get inForce(): SettingsById | null {
    return this.state.trusted;
  }

  /**
   * For a unit of work that changes settings: the number of the new version. Other changes wait
   * until it is over.
   */
  nextVersion(): Promise<number> {
    return this.watch.nextVersion(NAME);
  }

  /** At the end of that unit of work: puts what it stored in force, everywhere, when it commits. */
  async changed(version: number): Promise<void> {
    await this.watch.changed(this.state, version, await this.stored());
  }

  private async stored(): Promise<SettingsById> {
    const rows = await this.repository.all();
    return new Map(
      rows.map(({ capability, enabled, risk, requiresApproval, limits }) => [
        capability,
        { enabled, risk, requiresApproval, limits },
      ]),
    );
  }
}
