import type * as Wire from '../../types.ts';
import { describing } from './described.ts';

const success = 'always false';
const message = 'text for people; never parse it';

export const errorDescriptions = {
  MessageBody: describing<Wire.MessageBody>()('interface 7.1', 'Authentication failure.', { message }),
  BusinessBody: describing<Wire.BusinessBody>()('interface 7.1', 'Business-rule failure.', {
    success,
    message,
  }),
  ValidationBody: describing<Wire.ValidationBody>()('interface 7.1', 'Field validation failure.', {
    message: 'summary that names the first failed field and counts the further errors',
    errors: 'messages by field, in the order of the fields',
  }),
  EnvelopeBody: describing<Wire.EnvelopeBody>()('interface 7.1', 'General error envelope.', {
    success,
    message,
    error_code: 'the code that `X-Error-Code` says too',
    errors: 'messages by field; empty when no field is to blame',
  }),
};
