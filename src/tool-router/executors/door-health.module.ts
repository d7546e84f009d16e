import { Module } from '@nestjs/common';
import { IssuerKeysModule } from '../../auth/issuer-keys.module.js';
import { DoorHealth } from './door-health.js';

/** Whether a worker's tool door can be used; for readiness, and for who claims runs. */
@Module({ imports: [IssuerKeysModule], providers: [DoorHealth], exports: [DoorHealth] })
export class DoorHealthModule {}
