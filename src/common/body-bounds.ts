import { Reflector } from '@nestjs/core';

/**
 * On the DTO of a body that has maps by id: how many members an object of it may have, and how many
 * values there may be in all, where the usual numbers are too small.
 */
export const BodyBounds = Reflector.createDecorator<{ members: number; values: number }>();
