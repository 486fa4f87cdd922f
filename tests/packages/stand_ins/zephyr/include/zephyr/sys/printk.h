/* Stands for Zephyr's, for the one format that the sample has. */
void printk(const char* format, int bytes, const char* text);
