import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CapabilitySettingEntity } from './entities/capability-setting.entity.js';

/** Table `capability_settings`. */
@Injectable()
export class CapabilitySettingsRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get settings() {
    return this.uow.manager.getRepository(CapabilitySettingEntity);
  }

  /** Every setting there is: at most one for each method that exists or did. */
  async all(): Promise<CapabilitySettingEntity[]> {
    return this.settings.find({ order: { capability: 'ASC' } });
  }

  async find(capability: string): Promise<CapabilitySettingEntity | null> {
    return this.settings.findOneBy({ capability });
  }

  async put(row: CapabilitySettingEntity): Promise<void> {
    await this.settings.upsert(row, ['capability']);
  }

  async remove(capability: string): Promise<void> {
    await this.settings.delete({ capability });
  }
}
