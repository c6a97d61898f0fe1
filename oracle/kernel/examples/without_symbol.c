/* A shared library that is no kernel. */
int nothing(void);
int nothing(void) { return 0; }
