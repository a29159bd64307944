import { mock, respondBelow } from './mock.ts';

beforeEach(() => {
  mock.reset();
  // Path below which your app requests the service.
  respondBelow('/api');
});
