import { IsOptional, IsString } from 'class-validator';

export class LabelledView {
  @IsString()
  value!: string;

  @IsOptional()
  @IsString()
  label?: string;
}

export class PhoneView extends LabelledView {
  /** `+8613800138000`, when it is a valid number. */
  @IsOptional()
  @IsString()
  e164?: string;
}

export class AddressView {
  @IsOptional()
  @IsString()
  label?: string;

  @IsOptional()
  @IsString()
  street?: string;

  @IsOptional()
  @IsString()
  city?: string;

  @IsOptional()
  @IsString()
  region?: string;

  @IsOptional()
  @IsString()
  postalCode?: string;

  @IsOptional()
  @IsString()
  country?: string;
}

/** A picture: its address, or its media type when the contact holds the bytes. */
export class AvatarView {
  @IsOptional()
  @IsString()
  url?: string;

  @IsOptional()
  @IsString()
  mediaType?: string;
}

/** The user of the system whom an email of the contact belongs to. */
export class ContactUserView {
  @IsString()
  id!: string;

  @IsString()
  email!: string;

  @IsString()
  name!: string;
}

/** A fact without a field of its own, by its vCard name: `ANNIVERSARY`. */
export class ExtraFactView {
  @IsString()
  name!: string;

  @IsString()
  value!: string;
}
