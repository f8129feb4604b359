// This file lets the tests declare functions without a body, which are methods of the controller under test.
