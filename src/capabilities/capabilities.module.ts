import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CapabilitySettings } from './capability-settings.js';
import { CapabilitySettingsRepository } from './capability-settings.repository.js';
import { CapabilitySettingEntity } from './entities/capability-setting.entity.js';

/** What admins decided about capabilities; the router asks it. */
@Module({
  imports: [TypeOrmModule.forFeature([CapabilitySettingEntity])],
  providers: [CapabilitySettings, CapabilitySettingsRepository],
  exports: [CapabilitySettings, CapabilitySettingsRepository],
})
export class CapabilitiesModule {}
