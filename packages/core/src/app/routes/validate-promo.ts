import {
  normaliseFields,
  promoFields,
  promoValidMessage,
  type ValidatePromoResponse,
  validateFields,
} from '../../contract/index.ts';
import { invalidFields } from '../../engine/index.ts';
import { jsonResponse, readJsonBody } from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';

/** `POST /promo/validate` (source: live). */
export function validatePromo({ engine, settings }: Tools): OperationHandler {
  return async ({ request }) => {
    const fields = normaliseFields(promoFields, await readJsonBody(request, settings.limits.bodyBytes));
    const checked = validateFields(promoFields, fields, settings.limits);
    if ('errors' in checked) throw invalidFields(checked.errors);
    const body: ValidatePromoResponse = {
      success: true,
      message: promoValidMessage[settings.locale],
      data: await engine.validatePromo(checked.values),
    };
    return jsonResponse(200, body);
  };
}
