import { IsObject, IsOptional, IsString, Length } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';

/** A pressed button of a card: what its action names (PROTOCOL §8). */
export class ActionDto {
  @IsString()
  @Length(1, 64)
  @JSONSchema({ example: 'calendar' })
  module!: string;

  @IsString()
  @Length(1, 64)
  @JSONSchema({ example: 'accept_invite' })
  method!: string;

  @IsOptional()
  @IsObject()
  @JSONSchema({ description: "The method's input; absent means {}." })
  input?: Record<string, unknown>;
}
