import { mock, respondBelow } from './mock.ts';

beforeEach(() => {
  mock.reset();
  // Where your app requests the service.
  respondBelow('/api');
});
